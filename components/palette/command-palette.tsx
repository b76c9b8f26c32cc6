'use client';
export default function CommandPalette({ mode, onClose }: { mode: 'commands' | 'files' | 'search'; onClose(): void }) {
  return (
    <button type="button" onClick={onClose}>
      {mode}
    </button>
  );
}
