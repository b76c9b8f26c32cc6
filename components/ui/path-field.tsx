interface PathFieldProps {
  label: string;
  path: string;
  onChange(path: string): void;
  /** The reason why the path cannot be used; undefined if there is none. */
  problem: string | undefined;
}

/** The field of a dialog for the path of a file or folder, with what is wrong with it. It has the focus at first. */
export function PathField({ label, path, onChange, problem }: PathFieldProps) {
  return (
    <>
      <label className="block text-sm">
        <span className="text-muted">{label}</span>
        <input
          value={path}
          onChange={(event) => onChange(event.target.value)}
          data-initial-focus
          className="mt-1 h-9 w-full rounded-md border border-line-strong bg-surface px-2 font-mono text-[13px]"
        />
      </label>
      {problem === undefined ? null : <FieldProblem>{problem}</FieldProblem>}
    </>
  );
}

/** Says below a field, or in a dialog without one, what went wrong. */
export const FieldProblem = ({ children }: { children: string }) => (
  <p role="alert" className="mt-2 text-failed text-sm">
    {children}
  </p>
);
