import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { visibleText } from '#components/ui/visible-text.ts';

/** The maximum number of paths that are listed. */
const LISTED_MAX = 50;

/** Lists paths in a dialog: of a long list, only the first ones, with the number of those that are left out. */
export function PathList({ paths }: { paths: readonly string[] }) {
  const t = useAllMessages();
  return (
    <>
      <ul className="mt-2 max-h-40 overflow-y-auto font-mono text-[13px] text-muted">
        {paths.slice(0, LISTED_MAX).map((path) => (
          <li key={path} className="truncate">
            {visibleText(path)}
          </li>
        ))}
      </ul>
      {paths.length > LISTED_MAX ? (
        <p className="text-muted text-sm">{t.files.moreFiles(paths.length - LISTED_MAX)}</p>
      ) : null}
    </>
  );
}
