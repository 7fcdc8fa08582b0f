// Writing, reading and looking up certificates.
#include "gpu_tests/probe/certificate.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "spec/load.h"
#include "spec/syntax.h"

namespace fragproof {

// gpu_tests/certificates/*.json; the build generates it.
[[nodiscard]] const std::vector<EmbeddedFile>& embedded_certificates();

}  // namespace fragproof

namespace fragproof::gpu {
namespace {

using Json = nlohmann::ordered_json;

std::string digits_text(const std::vector<DigitBinding>& digits) {
  std::string text = "[";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    text += (i == 0 ? "" : ", ") + digits[i].name + ":" + to_text(*digits[i].radix);
  }
  return text + "]";
}

std::string coordinate_text(const Coordinate& coordinate) {
  std::string text = coordinate.name + " : ";
  if (!coordinate.digits.empty()) return text + digits_text(coordinate.digits);
  return text + (coordinate.extent == nullptr ? "?" : to_text(*coordinate.extent));
}

}  // namespace

std::string entry_text(const Map& fragment) {
  std::string text = "fragment " + fragment.name + "(";
  for (std::size_t i = 0; i < fragment.domain.coordinates.size(); ++i) {
    text += (i == 0 ? "" : ", ") + coordinate_text(fragment.domain.coordinates[i]);
  }
  text += ") -> (";
  for (std::size_t i = 0; i < fragment.outputs.size(); ++i) {
    const OutputDef& output = fragment.outputs[i];
    text += (i == 0 ? "" : ", ") + output.name +
            (output.codomain == nullptr ? "" : " : " + to_text(*output.codomain));
  }
  text += ") : " + fragment.element.name + "\n";
  for (const Binding& binding : fragment.bindings) {
    text += "  let " + (binding.digits.empty() ? binding.name : digits_text(binding.digits)) +
            " = " + (binding.value == nullptr ? "" : to_text(*binding.value)) + "\n";
  }
  for (const OutputDef& output : fragment.outputs) {
    text += "  " + output.name + " = " + to_text(*output.value) + "\n";
  }
  return text;
}

std::string entry_hash(const Map& fragment) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : entry_text(fragment)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::vector<CertifiedEntry> certified_entries(const std::vector<Map*>& maps,
                                              const std::vector<ProbeOutcome>& outcomes) {
  std::vector<CertifiedEntry> certified;
  for (const Map* map : maps) {
    bool confirmed = false, contradicted = false;
    for (const ProbeOutcome& outcome : outcomes) {
      if (std::find(outcome.entries.begin(), outcome.entries.end(), map->name) ==
          outcome.entries.end()) {
        continue;
      }
      confirmed = confirmed || outcome.verdict == ProbeOutcome::Verdict::Agrees;
      contradicted = contradicted || outcome.verdict == ProbeOutcome::Verdict::Disagrees;
    }
    if (!confirmed || contradicted) continue;
    const Slots slots = slots_of(builtin_spec(), *map);
    certified.push_back({map->name, entry_hash(*map), slots.count()});
  }
  return certified;
}

std::string to_json(const Certificate& certificate) {
  Json entries = Json::array(), mnemonics = Json::array();
  int slots = 0;
  for (const CertifiedEntry& entry : certificate.entries) {
    entries.push_back({{"name", entry.name}, {"hash", entry.hash}, {"slots", entry.slots}});
    slots += entry.slots;
  }
  long long warps = 0;
  for (const ProbeOutcome& outcome : certificate.outcomes) {
    Json one = {{"mnemonic", outcome.mnemonic}, {"verdict", name_of(outcome.verdict)}};
    if (!outcome.reason.empty()) one["reason"] = outcome.reason;
    one["entries"] = outcome.entries;
    one["slots"] = outcome.slots;
    one["warps"] = outcome.warps;
    mnemonics.push_back(std::move(one));
    warps += outcome.warps;
  }
  return Json{{"schema", "fragproof-certificate/1"},
              {"gpu", certificate.gpu},
              {"compute_capability", certificate.compute_capability},
              {"driver", certificate.driver},
              {"cuda", certificate.cuda},
              {"command", certificate.command},
              {"slots", slots},
              {"warps", warps},
              {"entries", entries},
              {"mnemonics", mnemonics}}
             .dump(1) +
         "\n";
}

std::optional<Certificate> read_certificate(const std::string& text, std::string& why) {
  Certificate certificate;
  try {
    const Json json = Json::parse(text);
    if (json.at("schema") != "fragproof-certificate/1") {
      why = "its schema is not fragproof-certificate/1";
      return std::nullopt;
    }
    certificate.gpu = json.at("gpu");
    certificate.compute_capability = json.at("compute_capability");
    certificate.driver = json.at("driver");
    certificate.cuda = json.at("cuda");
    certificate.command = json.at("command");
    for (const Json& entry : json.at("entries")) {
      certificate.entries.push_back({entry.at("name"), entry.at("hash"), entry.at("slots")});
    }
    for (const Json& one : json.at("mnemonics")) {
      ProbeOutcome outcome;
      outcome.mnemonic = one.at("mnemonic");
      outcome.reason = one.value("reason", "");
      outcome.slots = one.at("slots");
      outcome.warps = one.at("warps");
      for (const Json& entry : one.at("entries")) outcome.entries.push_back(entry);
      const std::string verdict = one.at("verdict");
      outcome.verdict = verdict == "AGREES"    ? ProbeOutcome::Verdict::Agrees
                        : verdict == "SKIPPED" ? ProbeOutcome::Verdict::Skipped
                                               : ProbeOutcome::Verdict::Disagrees;
      certificate.outcomes.push_back(std::move(outcome));
    }
  } catch (const Json::exception& error) {
    why = error.what();
    return std::nullopt;
  }
  return certificate;
}

const std::vector<Certificate>& builtin_certificates() {
  static const std::vector<Certificate> all = [] {
    std::vector<Certificate> read;
    for (const EmbeddedFile& file : embedded_certificates()) {
      std::string why;
      if (auto one = read_certificate({file.text, file.size}, why)) read.push_back(*std::move(one));
    }
    return read;
  }();
  return all;
}

std::string certified_on(const Map& fragment) {
  std::string text;
  const std::string hash = entry_hash(fragment);
  for (const Certificate& certificate : builtin_certificates()) {
    const bool listed = std::any_of(certificate.entries.begin(), certificate.entries.end(),
                                    [&](const CertifiedEntry& entry) {
                                      return entry.name == fragment.name && entry.hash == hash;
                                    });
    if (!listed) continue;
    std::string digits = certificate.compute_capability;
    std::erase(digits, '.');
    text += (text.empty() ? "" : ", ") + certificate.gpu + " (sm_" + digits + ")";
  }
  return text;
}

}  // namespace fragproof::gpu
