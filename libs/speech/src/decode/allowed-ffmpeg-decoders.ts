/** Those for audio, of every version of ffmpeg. */
export const ALLOWED_FFMPEG_AUDIO_DECODERS = `
  8svx_exp 8svx_fib aac aac_at aac_fixed aac_latm ac3 ac3_at ac3_fixed ac4 acelp.kelvin adpcm_4xm adpcm_adx
  adpcm_afc adpcm_agm adpcm_aica adpcm_argo adpcm_ct adpcm_dtk adpcm_ea adpcm_ea_maxis_xa adpcm_ea_r1 adpcm_ea_r2
  adpcm_ea_r3 adpcm_ea_xas adpcm_ima_acorn adpcm_ima_alp adpcm_ima_amv adpcm_ima_apc adpcm_ima_apm
  adpcm_ima_cunning adpcm_ima_dat4 adpcm_ima_dk3 adpcm_ima_dk4 adpcm_ima_ea_eacs adpcm_ima_ea_sead adpcm_ima_iss
  adpcm_ima_moflex adpcm_ima_mtf adpcm_ima_oki adpcm_ima_qt adpcm_ima_rad adpcm_ima_smjpeg adpcm_ima_ssi
  adpcm_ima_wav adpcm_ima_ws adpcm_ms adpcm_mtaf adpcm_psx adpcm_sanyo adpcm_sbpro_2 adpcm_sbpro_3 adpcm_sbpro_4
  adpcm_swf adpcm_thp adpcm_thp_le adpcm_vima adpcm_xa adpcm_xmd adpcm_yamaha adpcm_zork ahx alac alac_at als
  amrnb amrwb apac ape aptx aptx_hd atrac1 atrac3 atrac3al atrac3plus atrac3plusal atrac9 binkaudio_dct
  binkaudio_rdft bmv_audio bonk cbd2_dpcm comfortnoise cook dca derf_dpcm dfpwm dolby_e dsd_lsbf dsd_lsbf_planar
  dsd_msbf dsd_msbf_planar dsicinaudio dss_sp dst dvaudio eac3 evrc fastaudio flac ftr g722 g723_1 g726 g726le
  g728 g729 gremlin_dpcm gsm gsm_ms hca hcom iac ilbc imc interplay_dpcm interplayacm libcodec2 libfdk_aac libgsm
  libgsm_ms libilbc liblc3 libopencore_amrnb libopencore_amrwb libopus libspeex libvorbis mace3 mace6 metasound
  misc4 mlp mp1 mp1float mp2 mp2float mp3 mp3_at mp3adu mp3adufloat mp3float mp3on4 mp3on4float mpc7 mpc8 msnsiren
  nellymoser on2avc opus osq paf_audio pcm_alaw pcm_bluray pcm_dvd pcm_f16le pcm_f24le pcm_f32be pcm_f32le
  pcm_f64be pcm_f64le pcm_lxf pcm_mulaw pcm_s16be pcm_s16be_planar pcm_s16le pcm_s16le_planar pcm_s24be
  pcm_s24daud pcm_s24le pcm_s24le_planar pcm_s32be pcm_s32le pcm_s32le_planar pcm_s64be pcm_s64le pcm_s8
  pcm_s8_planar pcm_sga pcm_u16be pcm_u16le pcm_u24be pcm_u24le pcm_u32be pcm_u32le pcm_u8 pcm_vidc qcelp qdm2
  qdmc qoa ralf real_144 real_288 rka roq_dpcm s302m sbc sdx2_dpcm shorten sipr siren smackaud sol_dpcm sonic
  speex tak truehd truespeech tta twinvq vmdaudio vorbis wady_dpcm wavarc wavesynth wavpack wmalossless wmapro
  wmav1 wmav2 wmavoice ws_snd1 xan_dpcm xma1 xma2
`
  .trim()
  .split(/\s+/);

/**
 * Common video formats: to look for the streams and the start of a file, ffmpeg decodes some of its video. Decoders of rare
 * formats, in which most faults are found, are left out.
 */
export const ALLOWED_FFMPEG_VIDEO_DECODERS = `
  av1 bmp dnxhd dvvideo flv gif h261 h263 h263i h263p h264 hevc libaom-av1 libdav1d libvpx libvpx-vp9 mjpeg mpeg1video
  mpeg2video mpeg4 mpegvideo msmpeg4 msmpeg4v1 msmpeg4v2 png prores rv10 rv20 rv30 rv40 theora vc1 vp6 vp6a vp6f vp8 vp9
  webp wmv1 wmv2 wmv3
`
  .trim()
  .split(/\s+/);
