# server FOLDER --address :PORT: an S3 server of one monitor, one store on disk and one gateway, with the key of
# MINIO_ROOT_USER and MINIO_ROOT_PASSWORD. Ends when one of the three ends.
set -eu
data=$2
port=${4##*:}
config=$data/ceph.conf
monitor='[v2:127.0.0.1:6789/0]'

if [ ! -e "$data/initialised" ]; then
  find "$data" -mindepth 1 -delete
  mkdir "$data/mon" "$data/osd" "$data/rgw"
  id=$(cat /proc/sys/kernel/random/uuid)
  cat > "$config" << CONFIG
[global]
fsid = $id
mon_initial_members = a
mon_host = $monitor
public_network = 127.0.0.0/8
cluster_network = 127.0.0.0/8
auth_cluster_required = cephx
auth_service_required = cephx
auth_client_required = cephx
keyring = $data/\$name.keyring
run_dir = $data
admin_socket =
crash_dir = $data
log_file = $data/\$name.log
mon_cluster_log_file = $data/cluster.log
mon_data = $data/mon
mon_data_avail_warn = 1
mon_data_avail_crit = 1
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 2000
osd_data = $data/osd
osd_objectstore = bluestore
bluestore_block_size = 8589934592
osd_memory_target = 1073741824
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_crush_chooseleaf_type = 0
rgw_frontends = beast port=$port
rgw_rados_pool_pg_num_min = 1
rgw_thread_pool_size = 64
rgw_data = $data/rgw
CONFIG
fi

ceph_program() { local program=$1; shift; "$program" -c "$config" "$@"; }

if [ ! -e "$data/initialised" ]; then
  admin=$data/client.admin.keyring
  ceph_program ceph-authtool --create-keyring "$admin" --gen-key -n client.admin \
    --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *' --cap mds 'allow *'
  ceph_program ceph-authtool --create-keyring "$data/mon.keyring" --gen-key -n mon. --cap mon 'allow *'
  ceph_program ceph-authtool "$data/mon.keyring" --import-keyring "$admin"
  ceph_program monmaptool --create --addv a "$monitor" --fsid "$id" "$data/monmap"
  ceph_program ceph-mon --mkfs -i a --monmap "$data/monmap" --keyring "$data/mon.keyring"
fi
ceph_program ceph-mon -i a -f &
if [ ! -e "$data/initialised" ]; then
  store=$(cat /proc/sys/kernel/random/uuid)
  # Waits for the monitor.
  ceph_program ceph osd new "$store"
  ceph_program ceph-osd -i 0 --no-mon-config --mkfs --mkkey --osd-uuid "$store"
  ceph_program ceph auth add osd.0 mon 'allow profile osd' mgr 'allow profile osd' osd 'allow *' -i "$data/osd.0.keyring"
fi
ceph_program ceph-osd -i 0 -f &
if [ ! -e "$data/initialised" ]; then
  ceph_program radosgw-admin user create --uid zephyr --display-name zephyr \
    --access-key "$MINIO_ROOT_USER" --secret-key "$MINIO_ROOT_PASSWORD"
  touch "$data/initialised"
fi
ceph_program radosgw -n client.admin -f &
trap 'kill $(jobs -p)' TERM INT
wait -n
exit 1
