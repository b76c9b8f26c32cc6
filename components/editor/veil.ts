/** The channels, each from 0 to 255, of a color `#rrggbb` or `#rrggbbaa`. */
export const channelsOf = (color: string): number[] =>
  (color.match(/[0-9a-f]{2}/gi) ?? []).map((digits) => Number.parseInt(digits, 16));

/** The color `#rrggbb` or `#rrggbbaa` with these channels, each from 0 to 255. */
export const toHex = (channels: readonly number[]): string =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

/**
 * The most transparent color, as `#rrggbbaa`, that looks like `color` on `background`, both `#rrggbb`. The editor lays its
 * decorations over each other, so an opaque one would hide the selection.
 */
export function veil(color: string, background: string): string {
  const below = channelsOf(background);
  const shares = channelsOf(color).map((wanted, index) => {
    const from = below[index] ?? 0;
    const room = wanted < from ? from : 255 - from;
    return room === 0 ? 0 : Math.abs(wanted - from) / room;
  });
  const alpha = Math.ceil(Math.max(...shares) * 255);
  if (alpha === 0) return `${background}00`;
  const channels = channelsOf(color).map((wanted, index) => {
    const from = below[index] ?? 0;
    return Math.min(255, Math.max(0, from + ((wanted - from) * 255) / alpha));
  });
  return toHex([...channels, alpha]);
}
