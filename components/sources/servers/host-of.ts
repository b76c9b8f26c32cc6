import { visibleText } from '#components/ui/visible-text.ts';

/** The host of an address, with the port, to be shown. */
export const hostOf = (address: string): string => visibleText(URL.canParse(address) ? new URL(address).host : address);
