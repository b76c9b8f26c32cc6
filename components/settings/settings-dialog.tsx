'use client';
export default function SettingsDialog({ onClose }: { onClose(): void }) {
  return (
    <button type="button" onClick={onClose}>
      x
    </button>
  );
}
