/** Called by Next.js when the server starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { surviveBrokenOutput } = await import('#lib/base/processes/broken-output.ts');
  surviveBrokenOutput();
}
