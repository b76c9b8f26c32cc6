import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { FIRST_PAINT_SCRIPT } from '#studio/page/first-paint.ts';
import './globals.css';

export const metadata: Metadata = {
  title: 'Roundtrip Studio',
  description: 'Chat with a model that runs code and works on files right in your browser.',
};

/** The viewport of all pages: a page shrinks when a keyboard appears on the screen, so that the message box stays in view. */
export const viewport: Viewport = { width: 'device-width', initialScale: 1, interactiveWidget: 'resizes-content' };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const requested = await headers();
  const policy = requested.get('content-security-policy');
  const nonce = /'nonce-([^']+)'/.exec(policy ?? '')?.[1];
  return (
    <html lang="en" data-sandbox-origin={requested.get('x-sandbox-origin') ?? undefined} suppressHydrationWarning>
      <body>
        <script nonce={nonce} suppressHydrationWarning>
          {FIRST_PAINT_SCRIPT}
        </script>
        {children}
      </body>
    </html>
  );
}
