'use client';
export default function ShortcutHelp({ onClose }: { onClose(): void }) {
  return (
    <button type="button" onClick={onClose}>
      x
    </button>
  );
}
