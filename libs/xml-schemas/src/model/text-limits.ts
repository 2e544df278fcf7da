/** How long a text of a record may be, in characters, and what happens to a longer one. */
export interface TextLimit {
  readonly characters: number;
  /** A name that is cut would be a different name. Senders never send again, so texts that only people read are cut. */
  readonly beyond: 'rejected' | 'cut';
}

/** Shown in docs/records.md. Real records have at most a tenth of these. */
export const TEXT_LIMITS = {
  /**
   * Call ids (real ones have 32 to 80 characters, SIP sets no limit), tags, ids of endpoints, conferences: keys of
   * stores.
   */
  identifier: { characters: 512, beyond: 'rejected' },
  /** Names and addresses of machines, subnets and devices. */
  host: { characters: 255, beyond: 'rejected' },
  /** Of users and services, with their parameters. */
  address: { characters: 2_048, beyond: 'rejected' },
  /** Also versions, media types and verdicts. */
  word: { characters: 128, beyond: 'rejected' },
  text: { characters: 1_024, beyond: 'cut' },
  diagnostics: { characters: 32_768, beyond: 'cut' },
  sdp: { characters: 65_536, beyond: 'cut' },
} as const satisfies Record<string, TextLimit>;

export type TextKind = keyof typeof TEXT_LIMITS;

/** Never splits a surrogate pair. */
export function cutTo(text: string, characters: number): string {
  const isPair = (text.codePointAt(characters - 1) ?? 0) > 0xffff;
  return text.slice(0, isPair ? characters - 1 : characters);
}
