// What the npm package with PostgreSQL has inside; it has no texts of their licences, and does not name their versions.

/** `version` finds it in the path and content of a file. libxml2 and libxslt write 20904 for 2.9.4. */
const numbered = (pattern) => (text) => {
  const [, major, minor, patch] = pattern.exec(text) ?? [];
  return major === undefined ? undefined : [major, minor, patch].map(Number).join('.');
};
const written = (pattern) => (text) => pattern.exec(text)?.[1];

/**
 * `text`: its licence, written in `licences` by hand. `files`: what it is about. `licence`: as CycloneDX names it. `cpe`: vendor and product, by which
 * vulnerabilities are found.
 */
export const POSTGRES_PARTS = [
  {
    text: 'postgresql.txt',
    name: 'PostgreSQL',
    files: /\/(?:bin\/|share\/|lib\/postgresql\/|lib\/libpq\.)/,
    version: written(/postgres \(PostgreSQL\) (\d+\.\d+)/),
    licence: { id: 'PostgreSQL' },
    cpe: 'postgresql:postgresql',
  },
  {
    text: 'openssl.txt',
    name: 'OpenSSL',
    files: /\/lib(?:crypto|ssl)\./,
    version: written(/OpenSSL (\d\.\d\.\d[a-z]*) /),
    licence: { id: 'OpenSSL' },
    cpe: 'openssl:openssl',
  },
  {
    text: 'icu.txt',
    name: 'ICU',
    files: /\/libicu/,
    version: written(/libicuuc\.so\.(\d+\.\d+)/),
    licence: { id: 'ICU' },
    cpe: 'icu-project:international_components_for_unicode',
  },
  {
    text: 'libxml2.txt',
    name: 'libxml2',
    files: /\/libxml2\./,
    version: numbered(/(?<!\d)(2)(\d{2})(\d{2})\0\0/),
    licence: { id: 'MIT' },
    cpe: 'xmlsoft:libxml2',
  },
  {
    text: 'libxslt.txt',
    name: 'libxslt',
    files: /\/libxslt\./,
    version: numbered(/(?<!\d)(1)(\d{2})(\d{2})\0\0/),
    licence: { id: 'MIT' },
    cpe: 'xmlsoft:libxslt',
  },
  {
    text: 'zlib.txt',
    name: 'zlib',
    files: /\/libz\./,
    version: written(/deflate (\d+\.\d+\.\d+(?:\.\d+)?) Copyright/),
    licence: { id: 'Zlib' },
    cpe: 'zlib:zlib',
  },
  {
    text: 'liblzma.txt',
    name: 'liblzma',
    files: /\/liblzma\./,
    version: written(/\0(5\.\d+\.\d+)\0/),
    licence: { name: 'Public domain' },
    cpe: 'tukaani:xz',
  },
  {
    text: 'ossp-uuid.txt',
    name: 'OSSP uuid',
    files: /\/libossp-uuid\./,
    version: written(/OSSP uuid (\d+\.\d+\.\d+)/),
    licence: { name: 'OSSP uuid' },
    cpe: 'ossp:uuid',
  },
];
