/** One medium of a session description (RFC 8866), as an operator reads it. */
export interface DescribedMedium {
  readonly type: string;
  /** Address and port where it is received; port 0: rejected. */
  readonly address: string;
  readonly port: string;
  readonly protocol: string;
  readonly direction: string;
  /** Names of the codecs, or the numbers of formats without a name. */
  readonly codecs: readonly string[];
  readonly candidates: number;
}

export interface ComparedLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

const DIRECTIONS: ReadonlySet<string> = new Set(['sendrecv', 'sendonly', 'recvonly', 'inactive']);
/** Formats with a fixed number (RFC 3551) that are often described without a name. */
const FIXED: Readonly<Record<string, string>> = {
  '0': 'PCMU/8000',
  '3': 'GSM/8000',
  '4': 'G723/8000',
  '8': 'PCMA/8000',
  '9': 'G722/8000',
  '18': 'G729/8000',
};
const RTPMAP = 'rtpmap:';

export function describedMedia(description: string): readonly DescribedMedium[] {
  const [session = [], ...sections] = sectionsOf(descriptionLines(description));
  const address = connectionAddress(session);
  const direction = mediaDirection(session);
  return sections.map((lines) => {
    const [type = '', port = '', protocol = '', ...formats] = (lines[0] ?? '').slice(2).split(' ');
    const names = formatNames(lines);
    return {
      type,
      address: connectionAddress(lines) ?? address ?? '',
      port,
      protocol,
      direction: mediaDirection(lines) ?? direction ?? 'sendrecv',
      codecs: formats.map(
        (format) => names.get(format) ?? (Object.hasOwn(FIXED, format) ? FIXED[format] : format) ?? format,
      ),
      candidates: lines.filter((line) => line.startsWith('a=candidate:')).length,
    };
  });
}

/**
 * The lines of a description, compared with an earlier one medium by medium. Linear: within a medium a line is the same if
 * the earlier one has it anywhere, so that a changed order is not shown.
 */
export function compareDescriptions(before: string, after: string): readonly ComparedLine[] {
  const [old, now] = [sectionsOf(descriptionLines(before)), sectionsOf(descriptionLines(after))];
  return Array.from({ length: Math.max(old.length, now.length) }, (_, n) =>
    comparedSection(old[n] ?? [], now[n] ?? []),
  ).flat();
}

function comparedSection(before: readonly string[], after: readonly string[]): readonly ComparedLine[] {
  const unmatched = new Map<string, number>();
  for (const line of after) unmatched.set(line, (unmatched.get(line) ?? 0) + 1);
  // Each line of the earlier one, and whether the later one has it.
  const old = before.map((text) => {
    const left = unmatched.get(text) ?? 0;
    if (left > 0) unmatched.set(text, left - 1);
    return { text, isKept: left > 0 };
  });
  const result: ComparedLine[] = [];
  let at = 0;
  const flushRemoved = (): void => {
    for (; at < old.length && old[at]?.isKept === false; at++)
      result.push({ kind: 'removed', text: old[at]?.text ?? '' });
  };
  for (const text of after.toReversed()) {
    const left = unmatched.get(text) ?? 0;
    if (left > 0) unmatched.set(text, left - 1);
    result.push({ kind: left > 0 ? 'added' : 'same', text });
  }
  const lines = result.splice(0).toReversed();
  for (const line of lines) {
    flushRemoved();
    result.push(line);
    if (line.kind === 'same') at++;
  }
  flushRemoved();
  return result;
}

/** The session, then each medium. */
function sectionsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const sections: string[][] = [[]];
  for (const line of lines) {
    if (line.startsWith('m=')) sections.push([line]);
    else sections.at(-1)?.push(line);
  }
  return sections;
}

function descriptionLines(description: string): readonly string[] {
  return description.replaceAll('\r\n', '\n').split('\n').filter(Boolean);
}

function connectionAddress(lines: readonly string[]): string | undefined {
  return lines
    .find((line) => line.startsWith('c='))
    ?.split(' ', 3)[2]
    ?.split('/', 1)[0];
}

function mediaDirection(lines: readonly string[]): string | undefined {
  return lines.map((line) => line.slice(2)).find((attribute) => DIRECTIONS.has(attribute));
}

function formatNames(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap((line): [string, string][] => {
      if (!line.startsWith(`a=${RTPMAP}`)) return [];
      const [format = '', name = ''] = line.slice(2 + RTPMAP.length).split(' ', 2);
      return [[format, name]];
    }),
  );
}
