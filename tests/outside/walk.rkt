#lang racket/base
;; Random games of Racket's Gobblet (Debian's package racket): every position with all moves that its rules allow and what each leads to.
;;   racket walk.rkt SIZE GAMES SEED
;; SIZE is 4 or 3, the squares of a side. A line is a position as gobprove writes it, '|', and the moves. After each move stands
;; w or b if that side then has won, and - if play goes on. Red is White.
(require racket/list racket/string racket/unit
         games/gobblet/sig (only-in games/gobblet/model model-unit@))

(define-values (SIZE GAMES SEED)
  (apply values (map string->number (vector->list (current-command-line-arguments)))))
(define MOST-PLIES 60)

(define-unit config@ (import) (export config^) (define BOARD-SIZE SIZE))

(define-unit walk@ (import config^ model^) (export)
  ;; The letters of the sizes, the smallest first.
  (define letters (if (= SIZE 4) "DCBA" "SML"))
  (define (square i j) (format "~a~a" (string-ref "abcd" j) (- SIZE i)))
  (define (letter piece)
    (define capital (string-ref letters (piece-size piece)))
    (if (eq? (piece-color piece) 'red) capital (char-downcase capital)))
  (define (stack pieces) (if (null? pieces) "." (list->string (map letter pieces))))
  (define (text board turn)
    (define ranks
      (for/list ([i SIZE]) (string-join (for/list ([j SIZE]) (stack (board-ref board i j))) ",")))
    (string-append (string-join ranks "/") (if (eq? turn 'red) " w" " b")))

  ;; All moves of a side: name and board afterwards. Pieces of one size in hand are not told apart.
  (define (moves board turn)
    (define own (if (eq? turn 'red) red-pieces yellow-pieces))
    (define found '())
    (define (try piece i j name)
      (for* ([to-i SIZE] [to-j SIZE] #:unless (and i (= i to-i) (= j to-j)))
        (move board piece i j to-i to-j
              (lambda (after) (set! found (cons (cons (string-append name (square to-i to-j)) after) found)))
              void)))
    (for ([size (remove-duplicates (map car (filter pair? (available-off-board board turn))))])
      (try (list-ref own size) #f #f (format "~a@" (string-ref letters size))))
    (for* ([i SIZE] [j SIZE])
      (define pieces (board-ref board i j))
      (when (and (pair? pieces) (eq? (piece-color (car pieces)) turn))
        (try (car pieces) i j (string-append (square i j) "-"))))
    found)

  ;; Who has won after a move of this side: the opponent comes first.
  (define (result board turn)
    (define (name side) (if (eq? side 'red) "w" "b"))
    (cond [(winner? board (other turn)) (name (other turn))]
          [(winner? board turn) (name turn)]
          [else "-"]))

  (random-seed SEED)
  (for ([game GAMES])
    (let loop ([board empty-board] [turn (if (even? game) 'red 'yellow)] [ply 0])
      (define all (moves board turn))
      (define judged (for/list ([one all]) (cons (result (cdr one) turn) one)))
      (printf "~a|~a\n" (text board turn)
              (string-join (for/list ([one judged]) (string-append (cadr one) (car one))) " "))
      (define on (filter (lambda (one) (equal? (car one) "-")) judged))
      (when (and (pair? on) (< ply MOST-PLIES))
        (loop (cddr (list-ref on (random (length on)))) (other turn) (add1 ply))))))

(invoke-unit
 (compound-unit/infer (import) (export)
   (link [((C : config^)) config@] [((M : model^)) model-unit@] [() walk@])))
