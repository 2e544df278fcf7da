/** The limits of a diagnostics text, and of a record. */
const TEXT_LENGTH = 32_000;
const ERRORS = 11;

/** Fragments that a text repeats; `n` differs each time. */
const PIECES: Readonly<Record<string, (n: string) => string>> = {
  pairs: () => 'a=b;',
  hexadecimal: () => '0a:',
  addresses: () => 'a@b.c ',
  schemes: () => 'sip:a@b ',
  reasons: () => 'reason=Anna Smith;',
  letters: () => 'a;',
  hyphens: () => 'A-',
  'other-pairs': (n) => `${n}=${n};`,
  'other-words': (n) => `${n};`,
  'other-addresses': (n) => `${n}@b `,
  'other-numbers': (n) => `+1425${n} `,
};

/** Records by their content: they are small enough to be accepted, and contain as many names to hide as possible. */
export const FAT_RECORDS: Readonly<Record<string, (callId: string) => string>> = {
  ...Object.fromEntries(
    Object.entries(PIECES).map(([name, piece]) => [name, (callId: string): string => failed(callId, piece)]),
  ),
  'unknown-elements': (callId) =>
    record(
      callId,
      error(
        '1',
        elements(1_900, (n) => `<Zq${n}>${n}</Zq${n}>`),
      ),
    ),
  endpoints: (callId) => {
    const end = (n: number): string =>
      `<EndPoint><Id>a${n}</Id>${ENDPOINT.map((name) => long(name, n)).join('')}</EndPoint>`;
    return record(callId, `<Error>${Array.from({ length: 24 }, (_, n) => end(n)).join('')}</Error>`);
  },
};

const ENDPOINT =
  'UserAgent OS CPUName WifiDriverDeviceDesc SSID Virtualization WifiDriverVersion Contact PAI URI'.split(' ');

function long(name: string, n: number): string {
  const words = Array.from({ length: 240 }, (_, at) => (n * 1_000 + at).toString(36)).join(' ');
  return `<${name}>sip:a${words}</${name}>`;
}

function failed(callId: string, piece: (n: string) => string): string {
  return record(callId, Array.from({ length: ERRORS }, (_, n) => error(`${n};${pumped(piece, n)}`)).join(''));
}

function pumped(piece: (n: string) => string, first: number): string {
  let text = '';
  for (let n = first * TEXT_LENGTH; text.length < TEXT_LENGTH; n++) text += piece(String(n));
  return text.slice(0, TEXT_LENGTH);
}

function error(diagnostics: string, more = ''): string {
  const outcome = `<ResponseCode Code="403">Forbidden</ResponseCode><VendorDiagnostics>${diagnostics}</VendorDiagnostics>`;
  return `<Error><EndPoint><Id>a1</Id><URI>sip:anna@example.test</URI></EndPoint><Properties>${outcome}${more}</Properties></Error>`;
}

function elements(count: number, element: (n: string) => string): string {
  return Array.from({ length: count }, (_, n) => element(n.toString(36))).join('');
}

function record(callId: string, inside: string): string {
  const connection = `<FrontEnd>fe1.example.test</FrontEnd><CallId>${callId}</CallId><CSEQ>1</CSEQ>`;
  const time = `<TimeStamp>${new Date().toISOString()}</TimeStamp>`;
  return `<Diagnostics Version="1.0"><ConnectionInfo>${connection}${time}</ConnectionInfo>${inside}</Diagnostics>`;
}
