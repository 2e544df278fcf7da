import type { IdentityHiding } from '@ringdown/identity-hiding';
import { isoTime } from '../calls/report-source.js';
import type { SavedSearch, SearchParameters } from '../store/saved-searches.js';
import { hiddenText } from './name-searches.js';

/** A saved search as one operator sees it. */
export interface ShownSearch extends Pick<SavedSearch, 'id' | 'name' | 'shared' | 'parameters'> {
  readonly owner: string;
  /** Whether the operator may change it. */
  readonly own: boolean;
  readonly etag: string;
  readonly createdAt: string;
  readonly changedAt: string;
}

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
    const parameters = isShown ? search.parameters : hiddenSearch(this.hiding, search);
    // A search for a user is often named after the user.
    const hasHidden = JSON.stringify(parameters) !== JSON.stringify(search.parameters);
    return {
      id,
      name: hasHidden ? this.names.field(search.name, 'text') : search.name,
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

/**
 * The parameters of a stored search as operators without the role `reveal` see them. Those of an author without the role are shown as
 * they were written: the author could otherwise write a name, and read its token.
 */
export function hiddenSearch(
  hiding: Pick<IdentityHiding, 'field'>,
  { parameters, revealed }: Pick<SavedSearch, 'parameters' | 'revealed'>,
): SearchParameters {
  return revealed ? hiddenParameters(hiding, parameters) : parameters;
}

/** The parameters as operators without the role `reveal` see them. */
function hiddenParameters(hiding: Pick<IdentityHiding, 'field'>, parameters: SearchParameters): SearchParameters {
  const entries = Object.entries(parameters).map(([name, value]) => {
    const hide = (text: string): string => hiddenText(hiding, name, text);
    return [name, typeof value === 'string' ? hide(value) : value.map(hide)] as const;
  });
  return Object.fromEntries(entries);
}

/** The texts of a search that operators without the role `reveal` would see as something else, if one with it had written them. */
export function hideableTexts(hiding: Pick<IdentityHiding, 'field'>, parameters: SearchParameters): readonly string[] {
  return Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().filter((text) => hiddenText(hiding, name, text) !== text),
  );
}
