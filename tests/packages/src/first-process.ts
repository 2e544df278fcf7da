/** What a machine begins with. */
export interface FirstProcess {
  /** Shell: `$1` is the folder with the system. Becomes `unshare`, which has the first process as its one child; that ends when its standard input does. */
  readonly program: string;
  /** Shell of the machine: whether it is up. */
  readonly isReady: string;
  /** Shell: removes what has outlived a machine; `$1` is the process of its `unshare`. */
  readonly afterwards?: string;
}

/** Mounts what a system has, and makes the folder with the system its root. */
const MACHINE = String.raw`set -e
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
for folder in tmp run; do mount -t tmpfs -o mode=1777 tmpfs "$root/$folder"; done
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in "null 3" "zero 5" "full 7" "random 8" "urandom 9"; do
  set -- $device
  mknod -m 666 "$root/dev/$1" c 1 "$2"
done
mknod -m 666 "$root/dev/tty" c 5 0
ln -s /proc/self/fd "$root/dev/fd"
mkdir "$root/dev/shm" "$root/dev/pts" && chmod 1777 "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
hostname machine
ip link set lo up
`;

const NEW_ROOT = String.raw`cd "$root"
mkdir -p .host
pivot_root . .host
`;

const OWN = 'unshare --net --mount --pid --uts --ipc --fork --kill-child';

/** A shell that collects the exit states of processes that have lost their parents. */
export const SHELL: FirstProcess = {
  program: `exec ${OWN} sh -c '${MACHINE}${NEW_ROOT}
exec chroot . /bin/sh -c "umount -l /.host && rmdir /.host && echo up >/run/up && cat <&3 >/dev/null & wait" 3<&0 </dev/null' sh "$1"`,
  isReady: 'test -e /run/up',
};

/** Where this machine's tree of groups of processes is, for those in this namespace of mounts. */
const CGROUPS =
  'set -e; mount -t cgroup2 cgroup2 /sys/fs/cgroup; own=/sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup)';

/**
 * systemd, as in a container: with a group of processes (cgroups(7)) of its own, of version 2, which has to be there on the machine of the test, in whatever place and
 * without any controller.
 */
export const SYSTEMD: FirstProcess = {
  program: `${CGROUPS}/ringdown-$$; mkdir "$own"; echo $$ >"$own/cgroup.procs"; umount /sys/fs/cgroup
exec ${OWN} --cgroup sh -c '${MACHINE}
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
${NEW_ROOT}
exec chroot . /bin/sh -c "umount -l /.host && rmdir /.host && (cat <&3 >/dev/null; exec systemctl poweroff -ff) & export container=test; exec /lib/systemd/systemd" 3<&0 </dev/null' sh "$1"`,
  // Degraded where Debian 13 cannot load modules of the kernel: the machine has none.
  isReady: 'case $(systemctl is-system-running) in running | degraded) ;; *) false ;; esac',
  afterwards: `${CGROUPS}/ringdown-$1; find "$own" -depth -type d -exec rmdir {} ';'`,
};
