/** The number of right tries, out of `total`. */
export interface Share {
  right: number;
  total: number;
}

/** The quantile of the normal distribution for 95 %, two-sided. */
const Z = 1.959964;

/** The Wilson score interval of a share at 95 %, as numbers from 0 to 1. Without tries, it is all of them. */
export function wilson({ right, total }: Share): [low: number, high: number] {
  if (total === 0) return [0, 1];
  const share = right / total;
  const square = Z * Z;
  const middle = share + square / (2 * total);
  const spread = Z * Math.sqrt((share * (1 - share)) / total + square / (4 * total * total));
  const scale = 1 + square / total;
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}

/**
 * The p-value of Fisher's exact test, two-sided: how likely two shares are at least as unlikely as these, if both come
 * from the same. Sums all tables that are no more likely than the given one, like R's `fisher.test`.
 */
export function fisher(one: Share, other: Share): number {
  const total = one.total + other.total;
  const right = one.right + other.right;
  const logOf = (count: number): number =>
    logChoose(one.total, count) + logChoose(other.total, right - count) - logChoose(total, right);
  const given = logOf(one.right);
  const first = Math.max(0, right - other.total);
  const last = Math.min(one.total, right);
  let sum = 0;
  for (let count = first; count <= last; count++) {
    const log = logOf(count);
    // Equal tables may differ by rounding.
    if (log <= given + 1e-7) sum += Math.exp(log);
  }
  return Math.min(1, sum);
}

const logChoose = (from: number, chosen: number): number =>
  logFactorial(from) - logFactorial(chosen) - logFactorial(from - chosen);

const factorials = [0];

function logFactorial(n: number): number {
  for (let next = factorials.length; next <= n; next++) factorials.push((factorials[next - 1] ?? 0) + Math.log(next));
  return factorials[n] ?? Number.NaN;
}
