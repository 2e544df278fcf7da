import type { Person } from '@ringdown/directory';
import { pathSegment, resourceJson, type Properties, type Resource } from '@ringdown/hypermedia';
import { etagOfText } from '../http/etag.js';

export interface ContactTextsOptions {
  /** The contact of somebody in an application, as it is made elsewhere; its links hold the address and nothing else of them. */
  readonly contact: (applicationId: string, person: Person) => Resource;
  /** The properties of that contact; its entity tag is that of these. */
  readonly properties: (person: Person) => Properties;
}

/** An address and the id of an application that no text of a link holds otherwise. */
const ADDRESS = 'nobody@contact.invalid';
const APPLICATION = 'none.application.invalid';
const NOBODY: Person = {
  username: ADDRESS,
  name: '',
  sipAddress: `sip:${ADDRESS}`,
  phones: {},
  roles: [],
  contacts: [],
};

/**
 * The JSON form of many contacts. Their links differ in the application and the address alone: they are made once and taken
 * apart there, which takes a fifth of the time that making each contact does (ADR 0024).
 */
export class ContactTexts {
  private readonly linksAndRel: string;

  constructor(private readonly options: ContactTextsOptions) {
    const { rel, href, links } = options.contact(APPLICATION, NOBODY);
    this.linksAndRel = withoutBraces(resourceJson({ rel, href, ...(links === undefined ? {} : { links }) }));
  }

  /** The same texts as {@link resourceJson} makes of the contacts of these people, with commas between them. */
  of(applicationId: string, people: readonly Person[]): string {
    const [before = '', ...parts] = this.linksAndRel.replaceAll(APPLICATION, pathSegment(applicationId)).split(ADDRESS);
    let texts = '';
    for (const person of people) {
      const properties = JSON.stringify(this.options.properties(person));
      const address = pathSegment(person.sipAddress.slice('sip:'.length));
      let links = before;
      for (const part of parts) links += address + part;
      texts += `${texts === '' ? '' : ','}{${withoutBraces(properties)},${links},"etag":"${etagOfText(properties)}"}`;
    }
    return texts;
  }
}

function withoutBraces(json: string): string {
  return json.slice(1, -1);
}
