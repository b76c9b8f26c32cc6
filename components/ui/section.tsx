import type { ReactNode } from 'react';

/** A titled section of the settings. */
export function Section({ title, help, children }: { title: string; help?: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="font-semibold text-sm">{title}</h3>
      {help === undefined ? null : <p className="text-muted text-sm">{help}</p>}
      <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-2">{children}</div>
    </section>
  );
}

/** A row of the settings: a label with its help, and the control for the setting. */
export function Row({ label, help, children }: { label: string; help?: string | undefined; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
      <span>
        {label}
        {help === undefined ? null : <span className="block text-muted text-xs">{help}</span>}
      </span>
      {children}
    </div>
  );
}
