import type { Person } from '@ringdown/directory';
import { pathSegment, resourceJson, type Properties, type Resource } from '@ringdown/hypermedia';
import { etagOfText } from '../http/etag.js';

export interface ContactTextsOptions {
  /** The contact of somebody, as it is made elsewhere; its links hold the address and nothing else of them. */
  readonly contact: (person: Person) => Resource;
  /** The properties of that contact; its entity tag is that of these. */
  readonly properties: (person: Person) => Properties;
}

/** An address that no text of a link holds otherwise. */
const ADDRESS = 'nobody@contact.invalid';
const NOBODY: Person = {
  username: ADDRESS,
  name: '',
  sipAddress: `sip:${ADDRESS}`,
  phones: {},
  roles: [],
  contacts: [],
};

/**
 * The JSON form of many contacts of one application. Their links differ in the address alone: they are made once and taken
 * apart there, which takes a fifth of the time that making each contact does (ADR 0024).
 */
export class ContactTexts {
  private readonly linksAndRel: readonly string[];

  constructor(private readonly options: ContactTextsOptions) {
    const { rel, href, links } = options.contact(NOBODY);
    const text = resourceJson({ rel, href, ...(links === undefined ? {} : { links }) });
    this.linksAndRel = withoutBraces(text).split(ADDRESS);
  }

  /** The same text as {@link resourceJson} makes of the person's contact. */
  of(person: Person): string {
    const properties = JSON.stringify(this.options.properties(person));
    const links = this.linksAndRel.join(pathSegment(person.sipAddress.slice('sip:'.length)));
    return `{${withoutBraces(properties)},${links},"etag":"${etagOfText(properties)}"}`;
  }
}

function withoutBraces(json: string): string {
  return json.slice(1, -1);
}
