\ Counts the ways to put n queens on an n x n board so that none attacks another. Run: ./run examples/forth.c examples/queens.fs
variable solutions
: lowest ( bits -- bit ) dup negate and ;
: place ( all columns left right -- )
  3 pick 3 pick = if 1 solutions +! 2drop 2drop exit then
  2dup or 3 pick or invert 4 pick and   ( all columns left right free )
  begin dup while
    dup lowest                          ( all cols left right free bit )
    tuck invert and                     ( all cols left right bit free' )
    >r >r                               ( all cols left right ; free' bit )
    3 pick 3 pick r@ or                 ( ... all cols' )
    3 pick r@ or 1 lshift ( ... all cols' left' )
    3 pick r@ or 1 rshift               ( ... all cols' left' right' )
    recurse
    r> drop r>
  repeat
  drop 2drop 2drop ;
: queens ( n -- ) 0 solutions ! 1 over lshift 1 - 0 0 0 place . ." queens: " solutions @ . ." ways" cr ;
: all 9 1 do i queens loop ;
all
