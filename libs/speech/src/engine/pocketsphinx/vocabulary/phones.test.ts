import { expect, it } from 'vitest';
import {
  convertEspeakPhonesToArpabet,
  convertFlitePhonesToArpabet,
  convertEspeakIpaToArpabet,
} from './phones.js';

it.each([
  ["k_j_'u:_b_3_n_,i:_t_s", 'K Y UW B ER N IY T S'],
  ["m_@_k d_'0_n_@L_d", 'M AH K D AA N AH L D'],
  ["p_r_oU_m_'i:_T_I2_;_@_s", 'P R OW M IY TH IH AH S'],
  ["S_I2_v_'O:_n", 'SH IH V AO N'],
])('convertEspeakPhonesToArpabet maps %s', (line, sounds) => {
  expect(convertEspeakPhonesToArpabet(line)).toBe(sounds);
});

it.each([
  ['v_ˌɔ_j_tɕ_ɛ_x_ˈɔ___f_s_k_i', 'V OY CH EH HH AO F S K IY'],
  ['m_ˈy_l_ɜ', 'M UW L ER'],
  ['t_ɾ_u_x_ˈi_j_o', 'T R UW HH IY Y OW'],
  ['ts._ə5_ŋ_ts._ˈou5_', 'JH AH NG JH OW'],
])('convertEspeakIpaToArpabet maps %s', (line, sounds) => {
  expect(convertEspeakIpaToArpabet(line)).toBe(sounds);
});

it('convertFlitePhonesToArpabet maps phones and drops pauses', () => {
  expect(convertFlitePhonesToArpabet('pau k ax b er n iy t s pau ')).toBe('K AH B ER N IY T S');
});

it('an unknown phone yields null', () => {
  expect(convertEspeakPhonesToArpabet("x_'Y_n")).toBeNull();
  expect(convertEspeakIpaToArpabet('x_ʘ')).toBeNull();
  expect(convertFlitePhonesToArpabet('pau k qq pau')).toBeNull();
  expect(convertFlitePhonesToArpabet('pau k constructor pau')).toBeNull();
  expect(convertEspeakPhonesToArpabet('')).toBeNull();
  expect(convertFlitePhonesToArpabet('pau pau')).toBeNull();
});
