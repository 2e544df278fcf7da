/** The lines of a session description that matter for calls (RFC 8866), as written. Absent: not in the description. */
export interface SdpSection {
  /** The address of the last `c=` line. */
  connection?: string;
  /** `sendrecv`, `sendonly`, `recvonly` or `inactive`. */
  direction?: string;
  /** `type:value` of `b=` lines. */
  readonly bandwidths: string[];
  /** The other `a=` lines, by their name: `rtpmap` has the values of all `a=rtpmap:` lines. */
  readonly attributes: Map<string, string[]>;
}

export interface SdpMedium extends SdpSection {
  /** Of the `m=` line. */
  readonly mediaType: string;
  readonly port: string;
  readonly protocol: string;
  readonly formats: readonly string[];
}

export interface SdpLines {
  readonly session: SdpSection;
  readonly media: readonly SdpMedium[];
}

const EQUALS = 61;
const MEDIA_LIMIT = 16;
const FORMAT_LIMIT = 32;
/** Attributes that are read; descriptions of browsers have many more. */
const READ: ReadonlySet<string> = new Set([
  'rtpmap',
  'ptime',
  'rtcp',
  'rtcp-mux',
  'candidate',
  'remote-candidates',
  'ssrc',
  'mid',
  'group',
  'bundle-only',
  'ice-ufrag',
  'ice-pwd',
  'ice-options',
  'ice-lite',
  'end-of-candidates',
]);
const DIRECTIONS: ReadonlySet<string> = new Set(['sendrecv', 'sendonly', 'recvonly', 'inactive']);

/** Sorts the lines of a bounded text by the medium that they describe. Lines that are not understood are left out. */
export function sdpLines(text: string): SdpLines {
  const session = section();
  const media: SdpMedium[] = [];
  let current: SdpSection = session;
  for (const written of text.split('\n')) {
    if (written.charCodeAt(1) !== EQUALS) continue;
    const line = written.endsWith('\r') ? written.slice(2, -1) : written.slice(2);
    const kind = written[0];
    if (kind === 'm') {
      if (media.length === MEDIA_LIMIT) return { session, media };
      const medium = parseMedium(line);
      media.push(medium);
      current = medium;
    } else if (kind === 'a') addAttribute(current, line);
    else if (kind === 'c') current.connection = line.split(' ', 3)[2] ?? '';
    else if (kind === 'b') current.bandwidths.push(line);
  }
  return { session, media };
}

function section(): SdpSection {
  return { bandwidths: [], attributes: new Map() };
}

/** `audio 4000 RTP/AVP 0 8`; a number of ports may follow the port. */
function parseMedium(line: string): SdpMedium {
  const [mediaType = '', ports = '', protocol = '', ...formats] = line.split(' ', FORMAT_LIMIT + 3);
  const slash = ports.indexOf('/');
  return { ...section(), mediaType, port: slash === -1 ? ports : ports.slice(0, slash), protocol, formats };
}

function addAttribute(to: SdpSection, line: string): void {
  const colon = line.indexOf(':');
  const name = colon === -1 ? line : line.slice(0, colon);
  if (DIRECTIONS.has(name)) to.direction = name;
  if (!READ.has(name)) return;
  const value = colon === -1 ? '' : line.slice(colon + 1);
  const others = to.attributes.get(name);
  if (others) others.push(value);
  else to.attributes.set(name, [value]);
}
