import type { Photo } from '@ringdown/directory';

/** A grey square of 48 x 48 pixels, for those of whom no photo is shown: clients show the photo of a sender without a check. */
export const NEUTRAL_PHOTO: Photo = {
  contentType: 'image/jpeg',
  bytes: Buffer.from(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ' +
      'EBAQEBAQEBAQEBD/wAALCAAwADABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAA/ALwA' +
      'AAAAAAAAAAP/2Q==',
    'base64',
  ),
};
