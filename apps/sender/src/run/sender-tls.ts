import { FollowedFiles, SettingsError, type SettingValues } from '@ringdown/settings';
import type { Logger } from '@ringdown/observability';
import { type CollectorTls, readKeyPair, type KeyPair } from '@ringdown/feed-client';
import { collectorTls } from '@ringdown/feed-client/settings';
import type { runSettings } from './run-settings.js';

type Settings = SettingValues<typeof runSettings>;

/** Certificates and keys of a running sender; new connections use renewed files, without a restart. */
export class SenderTls {
  readonly collector: FollowedFiles<CollectorTls>;
  /** Of HEP over TLS, if configured. */
  readonly hep: FollowedFiles<KeyPair> | undefined;

  /** Throws `SettingsError` when a file is missing or wrong. */
  constructor(settings: Settings, logger: Logger, pollMs?: number) {
    const { submitCaFile, submitPinnedCertificate, submitClientCertificate, submitClientKey } = settings;
    const { hepTlsPort, hepTlsCert, hepTlsKey } = settings;
    const named = [submitCaFile, submitPinnedCertificate, submitClientCertificate, submitClientKey];
    const files = named.filter((file) => file !== undefined);
    this.collector = new FollowedFiles({ files, read: () => collectorTls(settings), logger, pollMs });
    if (hepTlsPort === undefined) return;
    if (hepTlsCert === undefined || hepTlsKey === undefined) {
      throw new SettingsError(['HEP_TLS_PORT needs HEP_TLS_CERT and HEP_TLS_KEY']);
    }
    const [cert, key] = [
      { setting: 'HEP_TLS_CERT', file: hepTlsCert },
      { setting: 'HEP_TLS_KEY', file: hepTlsKey },
    ];
    const read = (): KeyPair => readKeyPair(cert, key);
    this.hep = new FollowedFiles({ files: [hepTlsCert, hepTlsKey], read, logger, pollMs });
  }

  close(): void {
    this.collector.close();
    this.hep?.close();
  }
}
