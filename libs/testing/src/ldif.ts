/** One entry of a directory: its name and the values of its attributes. */
export type LdifEntry = Readonly<Record<string, string | readonly string[]>> & { readonly dn: string };

export const DIRECTORY_SUFFIX = 'dc=example,dc=test';
export const PEOPLE_DN = `ou=people,${DIRECTORY_SUFFIX}`;

/** Values that LDIF contains unchanged (RFC 2849); all others are encoded in base64. */
const PLAIN = /^[^\s:<\P{ASCII}][\x20-\x7e]*(?<! )$/u;

export function* ldifLines(entries: Iterable<LdifEntry>): Generator<string> {
  for (const { dn, ...attributes } of entries) {
    yield line('dn', dn);
    for (const [name, values] of Object.entries(attributes)) {
      for (const value of [values].flat()) yield line(name, value);
    }
    yield '\n';
  }
}

function line(name: string, value: string): string {
  return PLAIN.test(value) ? `${name}: ${value}\n` : `${name}:: ${Buffer.from(value).toString('base64')}\n`;
}

const FIRST = (
  'Alice Bob Carol David Emma Frank Grace Henry Irene Jack Kate Liam Mona Noah Olga Paul Quinn Rosa Sven Tina Umberto ' +
  'Vera Walter Xenia Yusuf Zoë Łukasz Søren Jürgen François Nuño Дмитрий Ольга Γιώργος Ελένη 太郎 花子 小明 محمد שרה अमित'
).split(' ');
const SYLLABLES = 'bar den fel gor han jo kel lund mar nes or pet ros ser tan ul ver win yor zan'.split(' ');
const TITLES = 'Engineer,Account Manager,Director,Assistant,Analyst,Technician,Clerk'.split(',');
const DEPARTMENTS = 'Sales,Customer Care,Research & Development,Finance,IT,Logistics,Legal,Production'.split(',');

/**
 * People for a large directory, always the same. Their user id is `p<number>`, and only the first hundred have a
 * password: `password of p<number>`.
 */
export function* staff(count: number): Generator<LdifEntry> {
  yield { dn: PEOPLE_DN, objectClass: 'organizationalUnit', ou: 'people' };
  for (let number = 0; number < count; number++) {
    // Steps of a prime number, so that neighbours have little in common.
    const step = number * 7919;
    const first = FIRST[step % FIRST.length] ?? '';
    const last = surname(step);
    const phone = String(2_025_550_000 + number);
    yield {
      dn: `uid=p${number},${PEOPLE_DN}`,
      objectClass: 'inetOrgPerson',
      uid: `p${number}`,
      cn: `${first} ${last}`,
      givenName: first,
      sn: last,
      mail: `${ascii(first)}.${last.toLowerCase()}.${number}@example.test`,
      title: TITLES[step % TITLES.length] ?? '',
      departmentNumber: DEPARTMENTS[number % DEPARTMENTS.length] ?? '',
      o: 'Example Ltd.',
      roomNumber: `${1 + (number % 9)}.${100 + (number % 37)}`,
      telephoneNumber: `+1 (${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}`,
      ...(number % 3 === 0 ? { mobile: `+44 7700 ${900_000 + number}` } : {}),
      ...(number < 100 ? { userPassword: `password of p${number}` } : {}),
    };
  }
}

/** One of 8,000 surnames. */
function surname(step: number): string {
  const syllable = (at: number): string => SYLLABLES[Math.floor(step / at) % SYLLABLES.length] ?? '';
  const name = syllable(1) + syllable(20) + syllable(400);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function ascii(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^\x21-\x7e]/g, '')
    .toLowerCase();
  return plain === '' ? 'x' : plain;
}
