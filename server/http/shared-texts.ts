/** Texts that browsers have sent, by hash, for all processes of the studio. Any may be lost. Never rejects. */
export interface SharedTexts {
  add(name: string, text: string): Promise<void>;
  find(name: string): Promise<string | undefined>;
}
