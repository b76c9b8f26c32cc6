/** Called by Next.js when the server starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { surviveBrokenOutput } = await import('#lib/base/processes/broken-output.ts');
  surviveBrokenOutput();
  if (process.env.NEXT_MANUAL_SIG_HANDLE === undefined) return;
  const { endWhenAsked } = await import('#server/runs/drain.ts');
  endWhenAsked(Number(process.env.DRAIN_SECONDS) * 1_000);
}
