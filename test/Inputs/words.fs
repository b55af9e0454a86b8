\ Every word of examples/forth.c at least once.
: fact ( n -- n! ) dup 1 > if dup 1 - recurse * else drop 1 then ; 20 fact . cr
: fizz 16 1 do i 15 mod 0= if ." FizzBuzz" else i 3 mod 0= if ." Fizz" else i 5 mod 0= if ." Buzz" else i . then then then space loop cr ; fizz
create table 10 cells allot
: fill 10 0 do i i * table i cells + ! loop ; fill
: sum 0 10 0 do table i cells + @ + loop ; sum . cr
-7 2 /mod . . 7 -2 /mod . . -7 2 / . -7 2 mod . 5 negate abs . cr
: leaving 0 100 0 do i 3 = if leave then i + loop . ; leaving
: steps 10 0 ?do i . 3 +loop 0 10 do i . -3 +loop 5 5 ?do i . loop cr ; steps
: nested 3 0 do 3 0 do i j 10 * + . loop loop cr ; nested
: collatz ( n -- ) begin dup . dup 1 <> while dup 2 mod if 3 * 1 + else 2 / then repeat drop cr ; 27 collatz
: countdown begin dup . 1 - dup 0< until drop cr ; 5 countdown
: early 0 begin 1 + dup 7 = if . exit then again ; early cr
variable v 42 v ! 8 v +! v @ . 17 constant seventeen seventeen . cr
1 2 3 rot .s nip tuck over swap drop 2dup 2drop ?dup 0 ?dup depth . cr .s drop drop drop drop drop cr
6 3 and . 6 3 or . 6 3 xor . 0 invert . 1 62 lshift . -1 60 rshift . 3 4 min . 3 4 max . cr
1 2 = . 1 2 <> . 1 2 < . 1 2 > . 2 2 <= . 2 2 >= . 0 0= . -1 0< . cr
: star 42 emit ; star star cr
create text 16 allot 72 text c! 105 text 1 + c! text c@ emit text 1 + c@ emit cr
: out 5 >r r@ . r> . 3 0 do 1 if unloop exit then loop ; out
9 8 7 2 pick . drop drop drop -1 u. here 8 mod . 5 , cr
words cr
