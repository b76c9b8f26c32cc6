import { useCallback, useState } from 'react';

const KEY = 'roundtrip-studio:thread-groups';

/** The groups that the user has opened (true) or closed (false), by their keys. */
type OpenGroups = Readonly<Record<string, boolean>>;

/**
 * Returns a function that checks whether a group of the list is open, by its key, and one that opens or closes a group. At
 * first, all groups but the archive are open. Kept in the local storage.
 */
export function useOpenGroups(): [isOpen: (key: string) => boolean, setOpen: (key: string, isOpen: boolean) => void] {
  const [groups, setGroups] = useState(readGroups);
  const isOpen = useCallback(
    (key: string) => (Object.hasOwn(groups, key) ? groups[key] === true : key !== 'archived'),
    [groups],
  );
  const setOpen = (key: string, open: boolean) => {
    // Read again, because another tab may have opened or closed other groups.
    const next = { ...readGroups(), [key]: open };
    setGroups(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // The local storage is full or blocked: the groups stay as they are until the page is closed.
    }
  };
  return [isOpen, setOpen];
}

function readGroups(): OpenGroups {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).filter(([, isOpen]) => typeof isOpen === 'boolean'));
  } catch {
    // The local storage is blocked, or the stored data is not from the studio.
    return {};
  }
}
