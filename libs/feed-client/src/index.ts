export { collectorAccess, collectorTls, readAuthorities } from './collector-access.js';
export { collectorAddress, type CollectorAddress } from './collector-address.js';
export type { CollectorTls } from './collector-tls.js';
export { lacksCount, type Delivery, type DeliveryCounts } from './delivery.js';
export { FeedConnection, type Opening } from './feed-connection.js';
export { NoCollector, openFeeds, type FeedsOptions } from './feeds.js';
export { readKeyPair, type KeyPair } from './pem-file.js';
export { RecordSender, SEND_ONCE, type RecordSenderOptions } from './record-sender.js';
export { senderSettings } from './settings.js';
