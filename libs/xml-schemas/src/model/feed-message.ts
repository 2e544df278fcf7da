import type { DiagnosticsRecord } from './record.js';

/** Root `GetConfiguration`: a sender requests its settings when it starts. */
export interface ConfigurationRequest {
  readonly version?: string;
  readonly pool?: string;
  readonly frontEnd?: string;
  /** Version of the configuration that the sender has. */
  readonly currentVersion?: string;
}

export type FeedMessage =
  | { readonly kind: 'record'; readonly record: DiagnosticsRecord }
  | { readonly kind: 'configurationRequest'; readonly request: ConfigurationRequest };
