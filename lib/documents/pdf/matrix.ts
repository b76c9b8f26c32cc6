/** A transformation `[a, b, c, d, e, f]`, as in PDF: the point (x, y) becomes (ax + cy + e, bx + dy + f). */
export type Matrix = readonly number[];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Returns the transformation that does `inner` first, and then `outer`. */
export function multiplied(
  [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Matrix,
  [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0]: Matrix,
): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Returns the transformation that undoes another one; undefined if that maps everything to a line or a point. */
export function inverted([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Matrix): Matrix | undefined {
  const scale = a * d - b * c;
  if (!Number.isFinite(1 / scale)) return undefined;
  return [d / scale, -b / scale, -c / scale, a / scale, (c * f - d * e) / scale, (b * e - a * f) / scale];
}
