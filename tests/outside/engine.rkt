#lang racket/base
;; The player of Racket's Gobblet (Debian's package racket) as a program that speaks UGI: abcd-full, official.
;;   racket engine.rkt STEPS DEPTH SECONDS SEED
;; It looks DEPTH plies ahead at all moves, then from the best of them again, STEPS times in all, for at most SECONDS a move. Red
;; is White. Games begin with the empty board.
(require racket/list racket/string racket/unit
         games/gobblet/sig (only-in games/gobblet/model model-unit@)
         (only-in games/gobblet/explore explore-unit@) (only-in games/gobblet/heuristics heuristics-unit@))

(define-values (STEPS DEPTH SECONDS SEED)
  (apply values (map string->number (vector->list (current-command-line-arguments)))))

(define-unit config@ (import) (export config^) (define BOARD-SIZE 4))

(define-unit engine@ (import config^ model^ explore^ heuristics^) (export)
  ;; The letters of the sizes, the smallest first.
  (define letters "DCBA")
  (define (square i j) (format "~a~a" (string-ref "abcd" j) (- 4 i)))
  (define (place text)
    (values (- 4 (- (char->integer (string-ref text 1)) 48)) (- (char->integer (string-ref text 0)) 97)))

  ;; The board after a move, as it is written.
  (define (played board turn text)
    (define-values (to-i to-j) (place (substring text (- (string-length text) 2))))
    (define-values (piece i j)
      (if (regexp-match? #rx"@" text)
          (let ([size (for/first ([letter letters] [size 4] #:when (eqv? letter (string-ref text 0))) size)])
            (values (list-ref (if (eq? turn 'red) red-pieces yellow-pieces) size) #f #f))
          (let-values ([(i j) (place text)]) (values (car (board-ref board i j)) i j))))
    (move board piece i j to-i to-j values (lambda () (error 'engine "no legal move: ~a" text))))

  (define (name play)
    (define-values (piece i j to-i to-j) (apply values (take play 5)))
    (string-append (if i (string-append (square i j) "-") (format "~a@" (string-ref letters (piece-size piece))))
                   (square to-i to-j)))

  ;; The board, whose turn it is, and the boards before, the last one first.
  (define (follow moves)
    (for/fold ([board empty-board] [turn 'red] [before '()]) ([text moves])
      (values (played board turn text) (other turn) (cons board before))))

  (random-seed SEED)
  (define search (make-search make-4x4-rate-board make-4x4-canned-moves))
  (let loop ([moves '()])
    (define line (read-line))
    (define words (if (eof-object? line) '("quit") (string-split line)))
    (define (say text) (displayln text) (flush-output))
    (case (if (null? words) "" (car words))
      [("ugi") (say "id name Racket's Gobblet\nugiok") (loop moves)]
      [("isready") (say "readyok") (loop moves)]
      [("position")
       (unless (equal? (take words 4) '("position" "fen" ".,.,.,./.,.,.,./.,.,.,./.,.,.,." "w"))
         (error 'engine "the game does not begin with the empty board: ~a" line))
       (loop (cdr (or (member "moves" words) '(#f))))]
      [("go")
       (define-values (board turn before) (follow moves))
       (say (string-append "bestmove " (name (search SECONDS STEPS DEPTH turn board before))))
       (loop moves)]
      [("quit") (void)]
      [else (loop moves)])))

(invoke-unit
 (compound-unit/infer (import) (export)
   (link [((C : config^)) config@] [((M : model^)) model-unit@] [((X : explore^)) explore-unit@]
         [((H : heuristics^)) heuristics-unit@] [() engine@])))
