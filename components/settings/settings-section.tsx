import type { ReactNode } from 'react';

/** A part of the settings under its title. */
export function Section({ title, help, children }: { title: string; help?: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="font-semibold text-sm">{title}</h3>
      {help === undefined ? null : <p className="text-muted text-sm">{help}</p>}
      <div className="mt-2 grid gap-2">{children}</div>
    </section>
  );
}
