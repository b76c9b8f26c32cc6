/** Measures the factor by which everything takes longer here at the moment, because others use the machine, too. */
export function contention(): number {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    const usedMs = (user + system) / 1_000;
    if (usedMs >= 200) return Math.max(1, (performance.now() - startedAt) / usedMs);
  }
}
