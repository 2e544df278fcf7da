// Exceptions of `npm run check:expressions`: each entry needs a `bound` and a `reason`. Keep these tables short: most expressions can be written so that
// they take linear time, see docs/adr/0035.

/**
 * Expressions that are built at run time. `example`: a typical result, which is checked instead;
 * `bound`: the bound of the inserted text.
 */
export const MADE_AT_RUN_TIME = [
  {
    file: 'apps/application-people/src/batch/batch-body.ts',
    code: "new RegExp(String.raw`(?:^|\\r?\\n)--${RegExp.escape(boundary)}(--)?[ \\t]*(?=\\r?\\n|$)`, 'g')",
    example: [String.raw`(?:^|\r?\n)--boundary(--)?[ \t]*(?=\r?\n|$)`, 'g'],
    bound: 'boundaries of 70 characters',
    reason: 'the boundary is escaped: its characters match literally',
  },
  {
    file: 'libs/identity-hiding/src/status-phrases.ts',
    code: "new RegExp(String.raw`(?<![\\w.])(?:${LONGEST_FIRST})(?![\\w])`, 'gi')",
    example: [String.raw`(?<![\w.])(?:486 Busy Here|481 Call/Transaction Does Not Exist|404 Not Found)(?![\w])`, 'gi'],
    bound: 'the list of phrases in the same file',
    reason: 'the phrases are constants without repetition',
  },
  {
    file: 'apps/console/src/app/views.ts',
    code: "new RegExp(`^${view.path.replace(/:\\w+/, '[^/]+')}$`)",
    example: ['^/calls/[^/]+$', ''],
    bound: 'paths of the views of the console',
    reason: 'the paths of views are constants, with one parameter at most',
  },
  {
    file: 'libs/web-server/src/allowed-methods.ts',
    code: "new RegExp(`^${source}/?$`, 'i')",
    example: ['^/applications/[^/]+/conversations/[^/]+/messaging/?$', 'i'],
    bound: 'paths of the routes of our services',
    reason: 'routes are constants; parameters are divided by slashes',
  },
  {
    file: 'libs/xml-schemas/src/xml/xml-syntax.ts',
    code: "new RegExp(`[${characters}]`, 'u')",
    example: ['[:A-Z_a-z]', 'u'],
    bound: 'two constants of XML 1.0',
    reason: 'one class of characters',
  },
  {
    file: 'scripts/expressions/judge-worker.mjs',
    code: "new RegExp(source, flags.includes('g') ? flags : `${flags}g`)",
    example: ['^a$', 'g'],
    bound: 'expressions of this source, on 50,000 characters',
    reason: 'this check itself',
  },
];

/** Expressions that take more than linear time on a bounded text. `bound`: the bound of the text. */
export const SUPER_LINEAR = [];

/** Uses of built-in functions that take quadratic time (normalize, localeCompare) on bounded texts. */
export const QUADRATIC_CALLS = [
  {
    file: 'libs/linear-text/src/normalize.ts',
    code: 'text.replaceAll(LONG_RUN, `$&${JOINER}`).normalize(form)',
    bound: 'runs of 30 marks',
    reason: 'the one place that calls it',
  },
  {
    file: 'libs/testing/src/ldif.ts',
    code: "name\n    .normalize('NFKD')",
    bound: 'names of a made-up directory',
    reason: 'tests only',
  },
  {
    file: 'libs/settings/src/settings-table.ts',
    code: 'a.localeCompare(b)',
    bound: 'names of settings',
    reason: 'from the source alone',
  },
  {
    file: 'libs/service/src/service-reports.ts',
    code: "a.service.localeCompare(b.service, 'en')",
    bound: 'names of services',
    reason: 'only services report themselves',
  },
  {
    file: 'apps/console/src/quality/ranking.ts',
    code: "(one.value ?? '').localeCompare(other.value ?? '')",
    bound: '1,024 characters, the limit of a text of a record',
    reason: 'people read the list in the order of their language',
  },
  {
    file: 'apps/console/src/people/roster.ts',
    code: 'one.contact.name.localeCompare(other.contact.name)',
    bound: '250 contacts, with names of 256 characters (libs/directory)',
    reason: 'people read the list in the order of their language',
  },
];
