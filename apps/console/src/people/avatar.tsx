import { useState, type ReactNode } from 'react';
import styles from './people.module.css';
import { initials } from './display-words.js';

export interface AvatarProps {
  readonly name: string;
  /** Address of the photo, which may not exist. */
  readonly photo: string | undefined;
}

/** A person's photo, or initials. The browser sends the photo cookie that came with the application. */
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
