import { visibleText } from '#components/ui/visible-text.ts';

/** The host of an address, with the port, safe to show; all of the text if it is not a valid address. */
export const hostOf = (address: string): string => visibleText(URL.canParse(address) ? new URL(address).host : address);
