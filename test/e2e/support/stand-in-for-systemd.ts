/**
 * Commands for a machine on which no systemd runs: they make the folder of the state, and a `systemd-run` that runs a command as the
 * real one would.
 */
export const STAND_IN_FOR_SYSTEMD = `
install -d -o zephyr -m 700 /var/lib/zephyr
mkdir /opt/without-systemd
cat > /opt/without-systemd/systemd-run << 'END'
#!/bin/bash
user= settings=()
while [[ $1 == -* ]]; do
  case $1 in
    --quiet | --pipe | --wait) ;;
    --uid=*) user=\${1#*=} ;;
    -p)
      case $2 in
        EnvironmentFile=-*) mapfile -t -O \${#settings[@]} settings < <(grep = "\${2#*=-}" || true) ;;
        Environment=*) settings+=("\${2#*=}") ;;
        PrivateDevices=yes | PrivateTmp=yes | ProtectHome=yes | ProtectSystem=strict) ;;
        StateDirectory=zephyr | StateDirectoryMode=0700 | ReadWritePaths=-/var/backups/zephyr) ;;
        *) exit 2 ;;
      esac
      shift
      ;;
    *) exit 2 ;;
  esac
  shift
done
exec setpriv --reuid="$user" --regid="$user" --clear-groups env -i PATH="$PATH" "\${settings[@]}" "$@"
END
chmod 755 /opt/without-systemd/systemd-run
export PATH=/opt/without-systemd:$PATH`;
