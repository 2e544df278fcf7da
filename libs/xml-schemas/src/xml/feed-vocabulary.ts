import { defaultProfile, type VendorProfile } from '@ringdown/vendor-profile';
import type { Outcome } from '../model/record.js';
import type { ReadingBudget } from './extension-collector.js';

export const CONFIGURATION_REQUEST_ROOT = 'GetConfiguration';

export type DiagnosticsField = 'diagnostics' | 'diagnosticsClient' | 'diagnosticsPublic';

/** The names that depend on the vendor; those of the default profile are always accepted. */
export interface FeedVocabulary {
  readonly recordRoots: ReadonlySet<string>;
  readonly roots: ReadonlySet<string>;
  /** The elements with a diagnostics text. */
  readonly diagnosticsFields: ReadonlyMap<string, DiagnosticsField & keyof Outcome>;
}

/** The state while one record is read. */
export interface Reading {
  readonly vocabulary: FeedVocabulary;
  readonly budget: ReadingBudget;
}

const vocabularies = new WeakMap<VendorProfile, FeedVocabulary>();

/** Created once per profile: the reader needs it for every record. */
export function vocabularyOf(profile: VendorProfile): FeedVocabulary {
  let vocabulary = vocabularies.get(profile);
  if (!vocabulary) {
    vocabulary = makeVocabulary([profile.feed, defaultProfile.feed]);
    vocabularies.set(profile, vocabulary);
  }
  return vocabulary;
}

function makeVocabulary(feeds: readonly VendorProfile['feed'][]): FeedVocabulary {
  const recordRoots = new Set(feeds.map(({ recordRoot }) => recordRoot));
  return {
    recordRoots,
    roots: new Set([...recordRoots, CONFIGURATION_REQUEST_ROOT]),
    diagnosticsFields: new Map(
      feeds.flatMap(({ diagnosticsElement: name }): [string, DiagnosticsField][] => [
        [name, 'diagnostics'],
        [`${name}Client`, 'diagnosticsClient'],
        [`${name}Public`, 'diagnosticsPublic'],
      ]),
    ),
  };
}
