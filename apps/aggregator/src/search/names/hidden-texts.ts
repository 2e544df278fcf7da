import { CALL_FIELD_NAMES, filterRow, presentName } from '@ringdown/call-catalogue/fields';
import { RANGE_NAMES, rangeParameters, type FilterHiding } from '@ringdown/call-catalogue/filters';
import { isToken, type IdentityHiding } from '@ringdown/identity-hiding';

/** What may be a token, with its domain or without. */
const TOKEN_ADDRESS = /^(?:sips?:)?([\da-f]{16})(?:@[^@]*)?$/i;

/** Parameters of a request: texts are filters that are known, or refused. */
export type NamedFilters = object;

/**
 * What the text of a parameter may be: that of a filter of the catalogue, an IP `address`, which is shown, or `words` of texts, of
 * which only those are searched that are shown.
 */
type TextKind = FilterHiding | 'address' | 'words';

/** Filters that are no fields of the catalogue. */
const OTHER_FILTERS: Readonly<Record<'state' | 'verdict' | 'q' | 'address' | 'callId' | 'site' | 'uploads', TextKind>> =
  {
    state: 'own',
    verdict: 'own',
    site: 'own',
    uploads: 'own',
    address: 'address',
    q: 'words',
    callId: 'field',
  };

/** What is asked about the calls, or how: no filters. */
/** `values` are searched as those of the field that `by` names. */
const QUESTIONS = ['sort', 'by', 'values', 'metric', 'compare', 'cursor', 'identities'];

const KINDS: ReadonlyMap<string, TextKind> = new Map<string, TextKind>([
  ...CALL_FIELD_NAMES.map((field) => [field, filterRow(field).hiding] as const),
  ...Object.entries(OTHER_FILTERS),
  ...QUESTIONS.map((name) => [name, 'own'] as const),
]);

/** Filters by numbers and times, and how many calls are wanted: checked to be such, they name nobody. */
const NUMBERS: ReadonlySet<string> = new Set([
  ...RANGE_NAMES.flatMap((name) => rangeParameters(name)),
  'invitedFrom',
  'invitedTo',
  'runningFrom',
  'runningTo',
  'from',
  'to',
  'last',
  'limit',
  'bucketSeconds',
]);

/** Parameters that are no fields of the catalogue. */
export const OTHER_PARAMETERS: readonly string[] = [...Object.keys(OTHER_FILTERS), ...QUESTIONS, ...NUMBERS];

/** `not.codec` reveals as much as `codec`. */
export function parameterField(parameter: string): string {
  return presentName(parameter.replace(/^not\./, ''));
}

/** The text of a parameter of a search as operators without the role `reveal` see it. */
export function hiddenText(hiding: Pick<IdentityHiding, 'field'>, parameter: string, text: string): string {
  const field = parameterField(parameter);
  switch (KINDS.get(field)) {
    case 'own':
    case 'address':
      return text;
    case 'user':
      return isTokenAddress(text) ? text : hiding.field(text, 'uri');
    case 'field':
      return hiding.field(text, field);
    // Words of free text.
    default:
      return NUMBERS.has(field) ? text : hiding.field(text, 'text');
  }
}

/** Whether the texts of this field are addresses of users. */
export function isOfUser(field: string): boolean {
  return KINDS.get(field) === 'user';
}

/** Whether it is decided what the texts of this parameter may tell. */
export function isClassified(parameter: string): boolean {
  return KINDS.has(parameterField(parameter));
}

/** Whether the parameter has a number or a time, which needs no decision. */
export function isNumeric(parameter: string): boolean {
  return NUMBERS.has(parameterField(parameter));
}

/** Whether a search finds nothing that its results do not show to operators without the role `reveal`. */
export function searchesShownTexts(hiding: Pick<IdentityHiding, 'field' | 'address'>, filters: NamedFilters): boolean {
  return textsIn(filters).every(([name, text]) => isTextShown(hiding, parameterField(name), text));
}

function isTextShown(hiding: Pick<IdentityHiding, 'field' | 'address'>, field: string, text: string): boolean {
  switch (KINDS.get(field)) {
    case 'own':
    case 'address':
    // In texts as they are shown: a search for a name finds nothing.
    case 'words':
      return true;
    case 'user':
      return isTokenAddress(text) || hiding.address(text) === text;
    case 'field':
      return hiding.field(text, field) === text;
    // Nobody has decided whether it names somebody.
    default:
      return false;
  }
}

/** Each parameter with its texts, one by one; numbers and times are no texts. */
export function textsIn(filters: NamedFilters): readonly (readonly [name: string, text: string])[] {
  return Object.entries(filters).flatMap(([name, value]: [string, unknown]) =>
    [value].flat().flatMap((text) => (typeof text === 'string' ? [[name, text] as const] : [])),
  );
}

/** As an address is shown whose user is hidden. In search keys, tokens are in lower case. */
export function isTokenAddress(text: string): boolean {
  const [, user = ''] = TOKEN_ADDRESS.exec(text) ?? [];
  return isToken(user.toUpperCase());
}
