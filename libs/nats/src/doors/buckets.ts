export { Bucket, type Entry } from '../buckets/bucket.js';
export { BucketCache } from '../buckets/bucket-cache.js';
export { EntryWriter } from '../buckets/entry-writer.js';
export { newestFirst } from '../buckets/newest-first.js';
