import type { SavedSearch as ShownSearch } from '@ringdown/answers/searches';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import { isoTime } from '../../calls/streams/report-source.js';
import type { SavedSearch, SearchParameters } from './saved-searches.js';
import { hiddenText } from '../names/hidden-texts.js';

/** Shows saved searches: users in them are tokens for operators without the role `reveal`. */
export class SavedSearchViews {
  /** Owners may be users of calls as well, and anyone may choose a name: neither by the tokens that calls have. */
  private readonly owners: Pick<IdentityHiding, 'field'>;
  private readonly names: Pick<IdentityHiding, 'field'>;

  constructor(private readonly hiding: Pick<IdentityHiding, 'field' | 'for'>) {
    this.owners = hiding.for('owners of saved searches');
    this.names = hiding.for('names of saved searches');
  }

  etag({ revision }: SavedSearch): string {
    return String(revision);
  }

  of(search: SavedSearch, operator: string, isShown: boolean): ShownSearch {
    const { id, owner, shared, createdAt, changedAt } = search;
    const own = owner === operator;
    const { parameters, replaced } = isShown
      ? { parameters: search.parameters, replaced: [] }
      : hiddenSearch(this.hiding, search);
    return {
      id,
      // A search for a user is often named after the user.
      name: replaced.length > 0 ? this.names.field(search.name, 'text') : search.name,
      shared,
      parameters,
      owner: isShown || own ? owner : this.owners.field(owner, 'uri'),
      own,
      etag: this.etag(search),
      createdAt: isoTime(createdAt.getTime()),
      changedAt: isoTime(changedAt.getTime()),
    };
  }
}

/** A search as operators without the role `reveal` see it. */
export interface HiddenSearch {
  readonly parameters: SearchParameters;
  /** The texts that are seen as something else. */
  readonly replaced: readonly string[];
}

/**
 * A stored search as operators without the role `reveal` see it. That of an author without the role is shown as it was written: the
 * author could otherwise write a name, and read its token.
 */
export function hiddenSearch(
  hiding: Pick<IdentityHiding, 'field'>,
  { parameters, revealed }: Pick<SavedSearch, 'parameters' | 'revealed'>,
): HiddenSearch {
  return revealed ? hiddenParameters(hiding, parameters) : { parameters, replaced: [] };
}

/** The same as if an author with the role had written it. */
export function hiddenParameters(hiding: Pick<IdentityHiding, 'field'>, parameters: SearchParameters): HiddenSearch {
  const replaced: string[] = [];
  const entries = Object.entries(parameters).map(([name, value]) => {
    const hide = (text: string): string => {
      const hidden = hiddenText(hiding, name, text);
      if (hidden !== text) replaced.push(text);
      return hidden;
    };
    return [name, typeof value === 'string' ? hide(value) : value.map(hide)] as const;
  });
  return { parameters: Object.fromEntries(entries), replaced };
}
