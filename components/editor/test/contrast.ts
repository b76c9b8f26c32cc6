import { channelsOf, toHex } from '../veil.ts';

/** Blends a color with transparency, as `#rrggbbaa`, into an opaque background. */
export function blend(color: string, background: string): string {
  const [red = 0, green = 0, blue = 0, alpha = 255] = channelsOf(color);
  const share = alpha / 255;
  return toHex(channelsOf(background).map((from, index) => from + (([red, green, blue][index] ?? 0) - from) * share));
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two opaque colors, from 1 to 21, as defined by WCAG 2. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
