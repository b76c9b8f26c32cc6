/**
 * Stores texts that browsers have sent, by hash, for all processes of the studio. Any may be lost: `find` then resolves with
 * undefined. Neither method rejects.
 */
export interface SharedTexts {
  add(name: string, text: string): Promise<void>;
  find(name: string): Promise<string | undefined>;
}
