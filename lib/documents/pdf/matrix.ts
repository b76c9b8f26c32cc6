/** A transformation `[a, b, c, d, e, f]`, as in PDF: the point (x, y) becomes (ax + cy + e, bx + dy + f). */
export type Matrix = Iterable<number>;

/** A part of a page, in points from its top left corner. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Returns the transformation that does `inner` first, and then `outer`. */
export function multiplied(outer: Matrix, inner: Matrix): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = outer;
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Returns the transformation that undoes another one; undefined if that maps everything to a line or a point. */
export function inverted([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Matrix): Matrix | undefined {
  const scale = a * d - b * c;
  if (!Number.isFinite(1 / scale)) return undefined;
  return [d / scale, -b / scale, -c / scale, a / scale, (c * f - d * e) / scale, (b * e - a * f) / scale];
}

/** Returns the smallest box around what a transformation makes of the square of the size 1. */
export function boxOf([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: Matrix): Box {
  return {
    left: e + Math.min(0, a, c, a + c),
    top: f + Math.min(0, b, d, b + d),
    right: e + Math.max(0, a, c, a + c),
    bottom: f + Math.max(0, b, d, b + d),
  };
}

/** Returns the part that two boxes share, which may be empty; the first one if there is no other. */
export const overlap = (one: Box, other: Box | undefined): Box =>
  other === undefined
    ? one
    : {
        left: Math.max(one.left, other.left),
        top: Math.max(one.top, other.top),
        right: Math.min(one.right, other.right),
        bottom: Math.min(one.bottom, other.bottom),
      };
