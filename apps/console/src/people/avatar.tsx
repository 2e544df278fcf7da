import { useState, type ReactNode } from 'react';
import styles from './people.module.css';
import { initials } from './words.js';

export interface AvatarProps {
  readonly name: string;
  /** Where the photo is, if there is one: that is known when it was asked for. */
  readonly photo: string | undefined;
}

/** Somebody's photo, or initials. The browser shows the cookie for photos that has come with the application. */
export function Avatar({ name, photo }: AvatarProps): ReactNode {
  const [missing, setMissing] = useState<string>();
  return (
    <span className={styles['avatar']} aria-hidden="true">
      {initials(name)}
      {photo !== undefined && photo !== missing && (
        <img key={photo} className={styles['photo']} src={photo} alt="" onError={() => setMissing(photo)} />
      )}
    </span>
  );
}
