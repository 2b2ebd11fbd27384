;; Dot products of one query with many quantised vectors: `scan` in kernel.ts says the same in TypeScript.
;; Built by tools/vectors.mjs into kernel-wasm.ts; a test compares the two.
(module
  (import "vectors" "memory" (memory 1))

  ;; The four lanes together, scaled.
  (func $sum (param $lanes v128) (param $scale f32) (result f32)
    (f32.mul
      (local.get $scale)
      (f32.convert_i32_s
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $lanes)) (i32x4.extract_lane 1 (local.get $lanes)))
          (i32.add (i32x4.extract_lane 2 (local.get $lanes)) (i32x4.extract_lane 3 (local.get $lanes)))))))

  ;; `stride` int8 values a row, a multiple of 8; `count` rows, rounded up to 4; `query` is int16; `scales` and `out` are
  ;; float32, one a row.
  (func (export "scan")
    (param $rows i32) (param $stride i32) (param $count i32) (param $query i32) (param $scales i32) (param $out i32)
    (local $row i32) (local $at i32) (local $q i32) (local $end i32)
    (local $p1 i32) (local $p2 i32) (local $p3 i32) (local $part v128)
    (local $a0 v128) (local $a1 v128) (local $a2 v128) (local $a3 v128)
    (if (i32.le_s (local.get $count) (i32.const 0)) (then (return)))
    (loop $fours
      (local.set $p1 (i32.add (local.get $rows) (local.get $stride)))
      (local.set $p2 (i32.add (local.get $p1) (local.get $stride)))
      (local.set $p3 (i32.add (local.get $p2) (local.get $stride)))
      (local.set $end (local.get $p1))
      (local.set $q (local.get $query))
      (local.set $a0 (v128.const i32x4 0 0 0 0))
      (local.set $a1 (v128.const i32x4 0 0 0 0))
      (local.set $a2 (v128.const i32x4 0 0 0 0))
      (local.set $a3 (v128.const i32x4 0 0 0 0))
      (loop $parts
        (local.set $part (v128.load (local.get $q)))
        (local.set $a0 (i32x4.add (local.get $a0)
          (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $rows)) (local.get $part))))
        (local.set $a1 (i32x4.add (local.get $a1)
          (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $p1)) (local.get $part))))
        (local.set $a2 (i32x4.add (local.get $a2)
          (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $p2)) (local.get $part))))
        (local.set $a3 (i32x4.add (local.get $a3)
          (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $p3)) (local.get $part))))
        (local.set $q (i32.add (local.get $q) (i32.const 16)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 8)))
        (local.set $p1 (i32.add (local.get $p1) (i32.const 8)))
        (local.set $p2 (i32.add (local.get $p2) (i32.const 8)))
        (local.set $p3 (i32.add (local.get $p3) (i32.const 8)))
        (br_if $parts (i32.lt_u (local.get $rows) (local.get $end))))
      (local.set $at (i32.add (local.get $out) (i32.shl (local.get $row) (i32.const 2))))
      (local.set $q (i32.add (local.get $scales) (i32.shl (local.get $row) (i32.const 2))))
      (f32.store (local.get $at) (call $sum (local.get $a0) (f32.load (local.get $q))))
      (f32.store offset=4 (local.get $at) (call $sum (local.get $a1) (f32.load offset=4 (local.get $q))))
      (f32.store offset=8 (local.get $at) (call $sum (local.get $a2) (f32.load offset=8 (local.get $q))))
      (f32.store offset=12 (local.get $at) (call $sum (local.get $a3) (f32.load offset=12 (local.get $q))))
      ;; The fourth row ends where the next four begin.
      (local.set $rows (local.get $p3))
      (local.set $row (i32.add (local.get $row) (i32.const 4)))
      (br_if $fours (i32.lt_s (local.get $row) (local.get $count))))))
