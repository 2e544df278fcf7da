import type { CONNECTION_ROWS } from './connection.js';
import type { ENDPOINT_ROWS } from './endpoint.js';

/** Texts of senders; `what` completes "must be one or several". */
export interface TextValues {
  readonly what: string;
  /** In characters. */
  readonly longest: number;
}

/** How the values of a filter are read: texts, whole numbers, or some of a few words of ours. */
export type FilterValues = TextValues | 'numbers' | readonly string[];

/**
 * What the text of a filter may be. `own`: one of our words, or a number: shown to everyone. `field`: a text of records, hidden
 * like the field of this name. `user`: the address of a user.
 */
export type FilterHiding = 'own' | 'field' | 'user';

/** Groups of the choice of filters, and what they are about. */
export const FILTER_GROUPS = ['call', 'end', 'media', 'network', 'device'] as const;

export type FilterGroup = (typeof FILTER_GROUPS)[number];

/**
 * What its values may be, and how they are hidden: nothing but this keeps operators who must not see a name from finding out by a
 * search whose it is. Texts of senders are never shown to everyone.
 */
type ReadAndHidden =
  | { readonly values: TextValues; readonly hiding: Exclude<FilterHiding, 'own'> }
  | { readonly values: 'numbers' | readonly string[]; readonly hiding: FilterHiding };

/** Fields of a party or endpoint, and fields of the details of a call: elements of records, and devices that reports name. */
type PartyPlace = (typeof ENDPOINT_ROWS)[number]['field'] | `${'capture' | 'render'}Device${'' | 'Driver'}`;
type DetailPlace = (typeof CONNECTION_ROWS)[number]['field'];

/**
 * Where its values are, if that is a field of a party or endpoint, or of the details of a call. These values are exported: `column` is
 * their place in the CSV, counted from 1. Scripts read columns by position: a new row has the number after the highest of all rows.
 */
type Source =
  | { readonly party: readonly PartyPlace[]; readonly detail?: undefined; readonly column: number }
  | { readonly party?: undefined; readonly detail: DetailPlace; readonly column: number }
  | { readonly party?: undefined; readonly detail?: undefined; readonly column?: undefined };

/** What is known of a field by whose values calls are found. The name of the row is that of the parameter. */
export type FilterRow = ReadAndHidden &
  Source & {
    /** The kind of its search keys. */
    readonly kind: string;
    /** How a value is compared; by default as it is written. */
    readonly compared?: 'caseless' | 'address' | 'id' | 'number';
    /** Names of the parameter in earlier releases, which stored searches, alerts and addresses keep. */
    readonly before?: readonly string[];
    /** Numbers of records outside of it are no values. */
    readonly possible?: { readonly least: number; readonly most: number };
    readonly group: FilterGroup;
    readonly example?: string;
    /** Whether statistics are divided by it, with the values of each stream or the search keys of each call. */
    readonly counted?: 'streams' | 'keys';
    /**
     * A value may be what is wrong with its calls (docs/adr/0097). Of values with the same calls, that of the lowest number gives the name:
     * the most exact one. Others are effects of what is wrong, or classes of many things.
     */
    readonly suspect?: number;
    /** Whether a call with trouble is compared with the other calls that have its value. */
    readonly surrounds?: true;
    /** Whether its values are suggested. */
    readonly suggested?: true;
    /** Whether its fields of parties are among the texts that `q` searches. */
    readonly inTexts?: true;
    /** Completes "Finds calls", for docs/guides/history.md and the description in openapi.yaml. */
    readonly brief: string;
  };

export type FilterTable = Readonly<Record<string, FilterRow>>;

const NAME = 255;
const ID = 512;

/** A name as people give it. */
export function nameValues(what: string): TextValues {
  return { what, longest: NAME };
}

/** An id or name as machines have it. */
export function idValues(what: string): TextValues {
  return { what, longest: ID };
}
